// liblzma's threaded encoder: whatever the threads do, the compressed data decompresses to the input.
//
// The encoder (stream_encoder_mt.c) cuts its input into blocks, which worker threads compress; the caller's
// thread hands out input and collects the output in order. It waits for both without timeouts here.
#include <assert.h>
#include <lzma.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef BLOCKS
#define BLOCKS 2
#endif
#define BLOCK_SIZE 4

static uint8_t input[BLOCKS * BLOCK_SIZE];
static uint8_t compressed[1024];
static uint8_t output[sizeof input];

int main(void) {
    for (size_t i = 0; i < sizeof input; ++i) input[i] = (uint8_t)(i * i);

    // The smallest dictionary and the simplest search: tables that are soon cleared.
    lzma_options_lzma options;
    assert(!lzma_lzma_preset(&options, 0));
    options.dict_size = LZMA_DICT_SIZE_MIN;
    options.mf = LZMA_MF_HC3;
    options.nice_len = 3;
    options.depth = 1;
    lzma_filter filters[] = {{LZMA_FILTER_LZMA2, &options}, {LZMA_VLI_UNKNOWN, NULL}};
    lzma_mt threads = {
        .threads = THREADS, .block_size = BLOCK_SIZE, .filters = filters, .check = LZMA_CHECK_CRC32};

    lzma_stream stream = LZMA_STREAM_INIT;
    assert(lzma_stream_encoder_mt(&stream, &threads) == LZMA_OK);
    stream.next_in = input;
    stream.avail_in = sizeof input;
    stream.next_out = compressed;
    stream.avail_out = sizeof compressed;
    lzma_ret result;
    do {
        result = lzma_code(&stream, LZMA_FINISH);
    } while (result == LZMA_OK);
    assert(result == LZMA_STREAM_END);
    const size_t size = sizeof compressed - stream.avail_out;
    lzma_end(&stream);

    uint64_t memory = UINT64_MAX;
    size_t from = 0, to = 0;
    assert(lzma_stream_buffer_decode(&memory, 0, NULL, compressed, &from, size, output, &to, sizeof output) ==
           LZMA_OK);
    assert(to == sizeof input && memcmp(input, output, sizeof input) == 0);
    return 0;
}
