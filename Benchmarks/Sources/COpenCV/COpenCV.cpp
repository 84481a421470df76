#include "COpenCV.h"

#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

#include <functional>
#include <map>
#include <string>

namespace {

using Operation = std::function<void(const cv::Mat &, cv::Mat &)>;

// Three box filters that come nearest to a Gaussian of σ 20 (Kovesi: Fast almost-Gaussian filtering, 2010).
void blurByBoxes(const cv::Mat &source, cv::Mat &result) {
    cv::blur(source, result, {39, 39}, {-1, -1}, cv::BORDER_REPLICATE);
    cv::blur(result, result, {41, 41}, {-1, -1}, cv::BORDER_REPLICATE);
    cv::blur(result, result, {41, 41}, {-1, -1}, cv::BORDER_REPLICATE);
}

// A table is the fastest that OpenCV has for a linear change of each channel.
void tint(const cv::Mat &source, cv::Mat &result) {
    cv::Mat table(1, 256, CV_8UC4);
    for (int value = 0; value < 256; value++) {
        auto mixed = [value](double color) { return cv::saturate_cast<uchar>((value + color) / 2); };
        table.at<cv::Vec4b>(value) = {mixed(255), mixed(128), mixed(0), uchar(value)};
    }
    cv::LUT(source, table, result);
}

void transform(const cv::Mat &source, cv::Mat &result) {
    static const cv::Mat matrix = (cv::Mat_<float>(4, 4) <<
        0.393, 0.769, 0.189, 0, 0.349, 0.686, 0.168, 0, 0.272, 0.534, 0.131, 0, 0, 0, 0, 1);
    cv::transform(source, result, matrix);
}

const std::map<std::string, Operation> operations = {
    {"lanczos", [](auto &from, auto &to) { cv::resize(from, to, {800, 600}, 0, 0, cv::INTER_LANCZOS4); }},
    {"box", [](auto &from, auto &to) { cv::resize(from, to, {800, 600}, 0, 0, cv::INTER_AREA); }},
    {"blur-boxes", blurByBoxes},
    {"blur", [](auto &from, auto &to) { cv::GaussianBlur(from, to, {}, 20, 20, cv::BORDER_REPLICATE); }},
    {"premultiply", [](auto &from, auto &to) { cv::cvtColor(from, to, cv::COLOR_RGBA2mRGBA); }},
    {"swizzle", [](auto &from, auto &to) { cv::cvtColor(from, to, cv::COLOR_RGBA2BGRA); }},
    {"flip", [](auto &from, auto &to) { cv::flip(from, to, 1); }},
    {"crop", [](auto &from, auto &to) { to = from(cv::Rect(200, 150, 3600, 2700)).clone(); }},
    {"tint", tint},
    {"matrix", transform},
    {"rotate", [](auto &from, auto &to) { cv::rotate(from, to, cv::ROTATE_90_COUNTERCLOCKWISE); }},
};

}

void webimage_opencv_use_threads(int32_t count) { cv::setNumThreads(count); }

webimage_opencv_result webimage_opencv_run(
    const char *operation, const uint8_t *pixels, int32_t width, int32_t height
) {
    auto found = operations.find(operation);
    if (found == operations.end()) return {};
    const cv::Mat source(height, width, CV_8UC4, const_cast<uint8_t *>(pixels));
    auto *result = new cv::Mat();
    found->second(source, *result);
    return {result->data, result->cols, result->rows, result};
}

void webimage_opencv_free(webimage_opencv_result result) { delete static_cast<cv::Mat *>(result.owner); }
