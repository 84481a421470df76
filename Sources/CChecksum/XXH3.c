#include "CChecksum.h"
#include "../CPixels/Clones.h"

#include <string.h>

// XXH3 is defined by xxhash.h of https://github.com/Cyan4973/xxHash. Numbers are little-endian, like all machines that
// Swift supports.

static const uint8_t secret[192] = {
    0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe, 0x7c, 0x01, 0x81, 0x2c, 0xf7, 0x21, 0xad, 0x1c,
    0xde, 0xd4, 0x6d, 0xe9, 0x83, 0x90, 0x97, 0xdb, 0x72, 0x40, 0xa4, 0xa4, 0xb7, 0xb3, 0x67, 0x1f,
    0xcb, 0x79, 0xe6, 0x4e, 0xcc, 0xc0, 0xe5, 0x78, 0x82, 0x5a, 0xd0, 0x7d, 0xcc, 0xff, 0x72, 0x21,
    0xb8, 0x08, 0x46, 0x74, 0xf7, 0x43, 0x24, 0x8e, 0xe0, 0x35, 0x90, 0xe6, 0x81, 0x3a, 0x26, 0x4c,
    0x3c, 0x28, 0x52, 0xbb, 0x91, 0xc3, 0x00, 0xcb, 0x88, 0xd0, 0x65, 0x8b, 0x1b, 0x53, 0x2e, 0xa3,
    0x71, 0x64, 0x48, 0x97, 0xa2, 0x0d, 0xf9, 0x4e, 0x38, 0x19, 0xef, 0x46, 0xa9, 0xde, 0xac, 0xd8,
    0xa8, 0xfa, 0x76, 0x3f, 0xe3, 0x9c, 0x34, 0x3f, 0xf9, 0xdc, 0xbb, 0xc7, 0xc7, 0x0b, 0x4f, 0x1d,
    0x8a, 0x51, 0xe0, 0x4b, 0xcd, 0xb4, 0x59, 0x31, 0xc8, 0x9f, 0x7e, 0xc9, 0xd9, 0x78, 0x73, 0x64,
    0xea, 0xc5, 0xac, 0x83, 0x34, 0xd3, 0xeb, 0xc3, 0xc5, 0x81, 0xa0, 0xff, 0xfa, 0x13, 0x63, 0xeb,
    0x17, 0x0d, 0xdd, 0x51, 0xb7, 0xf0, 0xda, 0x49, 0xd3, 0x16, 0x55, 0x26, 0x29, 0xd4, 0x68, 0x9e,
    0x2b, 0x16, 0xbe, 0x58, 0x7d, 0x47, 0xa1, 0xfc, 0x8f, 0xf8, 0xb8, 0xd1, 0x7a, 0xd0, 0x31, 0xce,
    0x45, 0xcb, 0x3a, 0x8f, 0x95, 0x16, 0x04, 0x28, 0xaf, 0xd7, 0xfb, 0xca, 0xbb, 0x4b, 0x40, 0x7e,
};

static const uint64_t prime32_1 = 0x9E3779B1, prime32_2 = 0x85EBCA77, prime32_3 = 0xC2B2AE3D;
static const uint64_t prime64_1 = 0x9E3779B185EBCA87, prime64_2 = 0xC2B2AE3D27D4EB4F;
static const uint64_t prime64_3 = 0x165667B19E3779F9, prime64_4 = 0x85EBCA77C2B2AE63;
static const uint64_t prime64_5 = 0x27D4EB2F165667C5;

static inline uint64_t read64(const uint8_t *bytes) {
    uint64_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

static inline uint32_t read32(const uint8_t *bytes) {
    uint32_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

static inline uint64_t rotate(uint64_t value, int count) { return value << count | value >> (64 - count); }

static inline uint64_t fold(uint64_t a, uint64_t b) {
    unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint64_t avalanche(uint64_t hash) {
    hash = (hash ^ hash >> 37) * 0x165667919E3779F9;
    return hash ^ hash >> 32;
}

static inline uint64_t avalanche_short(uint64_t hash) {
    hash = (hash ^ hash >> 33) * prime64_2;
    hash = (hash ^ hash >> 29) * prime64_3;
    return hash ^ hash >> 32;
}

static inline uint64_t mix16(const uint8_t *bytes, const uint8_t *key) {
    return fold(read64(bytes) ^ read64(key), read64(bytes + 8) ^ read64(key + 8));
}

// Short inputs ------------------------------------------------------------------------------------------------------

static uint64_t hash_0_to_16(const uint8_t *bytes, size_t count) {
    if (count > 8) {
        uint64_t low = read64(bytes) ^ read64(secret + 24) ^ read64(secret + 32);
        uint64_t high = read64(bytes + count - 8) ^ read64(secret + 40) ^ read64(secret + 48);
        return avalanche(count + __builtin_bswap64(low) + high + fold(low, high));
    }
    if (count >= 4) {
        uint64_t both = read32(bytes + count - 4) + ((uint64_t)read32(bytes) << 32);
        uint64_t hash = both ^ read64(secret + 8) ^ read64(secret + 16);
        hash = (hash ^ rotate(hash, 49) ^ rotate(hash, 24)) * 0x9FB21C651E98DF25;
        hash = (hash ^ ((hash >> 35) + count)) * 0x9FB21C651E98DF25;
        return hash ^ hash >> 28;
    }
    if (count == 0) return avalanche_short(read64(secret + 56) ^ read64(secret + 64));
    uint32_t first = bytes[0], middle = bytes[count >> 1], last = bytes[count - 1];
    uint32_t all = first << 16 | middle << 24 | last | (uint32_t)count << 8;
    return avalanche_short(all ^ (uint64_t)(read32(secret) ^ read32(secret + 4)));
}

static uint64_t hash_17_to_128(const uint8_t *bytes, size_t count) {
    uint64_t hash = count * prime64_1;
    for (size_t i = (count - 1) / 32 + 1; i-- > 0;) {
        hash += mix16(bytes + 16 * i, secret + 32 * i);
        hash += mix16(bytes + count - 16 * (i + 1), secret + 32 * i + 16);
    }
    return avalanche(hash);
}

static uint64_t hash_129_to_240(const uint8_t *bytes, size_t count) {
    uint64_t hash = count * prime64_1;
    for (size_t i = 0; i < 8; i++) hash += mix16(bytes + 16 * i, secret + 16 * i);
    hash = avalanche(hash);
    for (size_t i = 8; i < count / 16; i++) hash += mix16(bytes + 16 * i, secret + 16 * (i - 8) + 3);
    return avalanche(hash + mix16(bytes + count - 16, secret + 136 - 17));
}

// Long inputs -------------------------------------------------------------------------------------------------------

// Eight lanes, which the compiler maps to the available registers. Functions take them by pointer, because passing them
// by value differs between the clones.
typedef uint64_t lanes __attribute__((vector_size(64)));

#define INLINE static inline __attribute__((always_inline))

INLINE void add_stripe(lanes *sums, const uint8_t *bytes, const uint8_t *key) {
    lanes data, keyed;
    memcpy(&data, bytes, sizeof data);
    memcpy(&keyed, key, sizeof keyed);
    keyed ^= data;
    *sums += __builtin_shufflevector(data, data, 1, 0, 3, 2, 5, 4, 7, 6) + (keyed & 0xFFFFFFFF) * (keyed >> 32);
}

INLINE void scramble(lanes *sums) {
    lanes key;
    memcpy(&key, secret + 128, sizeof key);
    *sums = (*sums ^ *sums >> 47 ^ key) * prime32_1;
}

enum { stripe = 64, block = 1024 };

WEBIMAGE_CLONES
static uint64_t hash_long(const uint8_t *bytes, size_t count) {
    lanes sums = {prime32_3, prime64_1, prime64_2, prime64_3, prime64_4, prime32_2, prime64_5, prime32_1};
    // The last stripe ends at the end of the input; it may overlap the one before it and is added separately.
    const uint8_t *last = bytes + count - stripe;
    size_t rest = count - 1;
    for (; rest >= block; rest -= block, bytes += block) {
#pragma clang loop unroll(full)
        for (size_t i = 0; i < block / stripe; i++) add_stripe(&sums, bytes + stripe * i, secret + 8 * i);
        scramble(&sums);
    }
    for (size_t i = 0; i < rest / stripe; i++) add_stripe(&sums, bytes + stripe * i, secret + 8 * i);
    add_stripe(&sums, last, secret + 121);

    uint64_t hash = count * prime64_1;
    for (int i = 0; i < 8; i += 2) {
        hash += fold(sums[i] ^ read64(secret + 11 + 8 * i), sums[i + 1] ^ read64(secret + 19 + 8 * i));
    }
    return avalanche(hash);
}

uint64_t webimage_xxh3(const void *bytes, size_t count) {
    if (count > 240) return hash_long(bytes, count);
    if (count > 128) return hash_129_to_240(bytes, count);
    if (count > 16) return hash_17_to_128(bytes, count);
    return hash_0_to_16(bytes, count);
}
