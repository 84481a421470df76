#pragma once
#include <curl/curl.h>

// The values of options. Each is an enum's case in some versions of libcurl, and a macro with or without a type in
// others, which Swift imports in different ways; these are the same in all.
static const long webimage_curl_http_1_0 = CURL_HTTP_VERSION_1_0;
static const long webimage_curl_http_1_1 = CURL_HTTP_VERSION_1_1;
static const long webimage_curl_http_2 = CURL_HTTP_VERSION_2_0;
static const long webimage_curl_http_2_over_tls = CURL_HTTP_VERSION_2TLS;
static const long webimage_curl_http_2_at_once = CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE;
static const long webimage_curl_http_3 = CURL_HTTP_VERSION_3;
static const long webimage_curl_pipe_multiplex = CURLPIPE_MULTIPLEX;
// More than one bit makes libcurl wait for the server's challenge before it sends credentials (CURLOPT_HTTPAUTH).
static const long webimage_curl_auth_when_challenged = CURLAUTH_BASIC | CURLAUTH_DIGEST;
static const long webimage_curl_global_default = CURL_GLOBAL_DEFAULT;
static const int webimage_curl_request_ok = CURL_PREREQFUNC_OK;
static const int webimage_curl_request_abort = CURL_PREREQFUNC_ABORT;
static const curl_socket_t webimage_curl_no_socket = CURL_SOCKET_BAD;
static const size_t webimage_curl_error_size = CURL_ERROR_SIZE;
// CURLE_TOO_LARGE, which libcurl has since version 8.6: a line, or the number of lines, is over a limit of its own.
static const CURLcode webimage_curl_too_large = (CURLcode)100;

// curl_easy_setopt and its relatives are variadic, which Swift cannot call: one typed wrapper per argument type.
static inline CURLcode webimage_curl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode webimage_curl_set_string(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode webimage_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode webimage_curl_set_offset(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode webimage_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(handle, option, value);
}
typedef size_t (*webimage_curl_data_callback)(char *bytes, size_t size, size_t count, void *context);
static inline CURLcode webimage_curl_set_data_callback(CURL *handle, CURLoption option, webimage_curl_data_callback f) {
    return curl_easy_setopt(handle, option, f);
}
typedef int (*webimage_curl_request_callback)(void *context, char *address, char *own_address, int port, int own_port);
static inline CURLcode webimage_curl_set_request_callback(CURL *handle, webimage_curl_request_callback f) {
    return curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, f);
}
typedef curl_socket_t (*webimage_curl_socket_callback)(void *context, curlsocktype purpose, struct curl_sockaddr *address);
static inline CURLcode webimage_curl_set_socket_callback(CURL *handle, webimage_curl_socket_callback f) {
    return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, f);
}
typedef int (*webimage_curl_resolver_callback)(void *resolver, void *reserved, void *context);
static inline CURLcode webimage_curl_set_resolver_callback(CURL *handle, webimage_curl_resolver_callback f) {
    return curl_easy_setopt(handle, CURLOPT_RESOLVER_START_FUNCTION, f);
}
typedef int (*webimage_curl_close_callback)(void *context, curl_socket_t descriptor);
static inline CURLcode webimage_curl_set_close_callback(CURL *handle, webimage_curl_close_callback f) {
    return curl_easy_setopt(handle, CURLOPT_CLOSESOCKETFUNCTION, f);
}
static inline CURLcode webimage_curl_get_long(CURL *handle, CURLINFO info, long *value) {
    return curl_easy_getinfo(handle, info, value);
}
static inline CURLcode webimage_curl_get_offset(CURL *handle, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(handle, info, value);
}
static inline CURLcode webimage_curl_get_string(CURL *handle, CURLINFO info, const char **value) {
    return curl_easy_getinfo(handle, info, value);
}
static inline CURLcode webimage_curl_get_list(CURL *handle, CURLINFO info, struct curl_slist **list) {
    return curl_easy_getinfo(handle, info, list);
}
// The number that was set as CURLOPT_PRIVATE; 0 for none.
static inline unsigned long webimage_curl_private_number(CURL *handle) {
    char *value = NULL;
    return curl_easy_getinfo(handle, CURLINFO_PRIVATE, &value) == CURLE_OK ? (unsigned long)value : 0;
}
static inline CURLMcode webimage_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}
static inline CURLSHcode webimage_curl_share_set_data(CURLSH *share, curl_lock_data data) {
    return curl_share_setopt(share, CURLSHOPT_SHARE, data);
}
// The result in CURLMsg is in a union.
static inline CURLcode webimage_curl_message_result(const CURLMsg *message) { return message->data.result; }
