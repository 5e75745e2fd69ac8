/* The fonts that pictures are lettered with, as OpenType files in memory. */
#ifndef THRONG_FONT_H
#define THRONG_FONT_H

extern const unsigned char throng_font_regular[17616];
extern const unsigned char throng_font_semibold[18144];

#endif
