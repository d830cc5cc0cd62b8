// liblzma's threaded decoder on damaged input: it must say so, and nothing worse.
//
// A worker thread decodes a block while the caller's thread is still copying the input of that block into the
// worker's buffer. Here the first byte of the block is wrong, so that the worker gives up early. In versions
// before 5.8.1 it then freed the buffer under the hands of the other thread (CVE-2025-31115).
#include <assert.h>
#include <lzma.h>
#include <stdint.h>
#include <string.h>

#define BLOCK_SIZE 8  // of the compressed data

static uint8_t input[128];
static uint8_t output[64];

// Writes the headers of a stream and of one block; returns their size.
static size_t write_headers(void) {
    const lzma_stream_flags flags = {.check = LZMA_CHECK_NONE};
    assert(lzma_stream_header_encode(&flags, input) == LZMA_OK);
    lzma_options_lzma options;
    assert(!lzma_lzma_preset(&options, 0));
    options.dict_size = LZMA_DICT_SIZE_MIN;
    lzma_filter filters[] = {{LZMA_FILTER_LZMA2, &options}, {LZMA_VLI_UNKNOWN, NULL}};
    lzma_block block = {
        .check = LZMA_CHECK_NONE, .filters = filters, .compressed_size = BLOCK_SIZE, .uncompressed_size = 1};
    assert(lzma_block_header_size(&block) == LZMA_OK);
    assert(lzma_block_header_encode(&block, input + LZMA_STREAM_HEADER_SIZE) == LZMA_OK);
    return LZMA_STREAM_HEADER_SIZE + block.header_size;
}

int main(void) {
    const size_t headers = write_headers();
    memset(input + headers, 0x7F, BLOCK_SIZE);  // no chunk of LZMA2 begins like this

    lzma_mt threads = {.threads = 2, .memlimit_threading = UINT64_MAX, .memlimit_stop = UINT64_MAX};
    lzma_stream stream = LZMA_STREAM_INIT;
    assert(lzma_stream_decoder_mt(&stream, &threads) == LZMA_OK);
    stream.next_out = output;
    stream.avail_out = sizeof output;
    stream.next_in = input;
    lzma_ret result = LZMA_OK;
    // In two pieces, as from a file or a network.
    const size_t pieces[] = {headers + 1, BLOCK_SIZE - 1};
    for (int i = 0; i < 2 && result == LZMA_OK; ++i) {
        stream.avail_in = pieces[i];
        result = lzma_code(&stream, LZMA_RUN);
    }
    while (result == LZMA_OK) result = lzma_code(&stream, LZMA_FINISH);
    assert(result == LZMA_DATA_ERROR);
    lzma_end(&stream);
    return 0;
}
