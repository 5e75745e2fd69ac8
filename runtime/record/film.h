/* Films: pictures of equal size, so many a second, as MP4 through an ffmpeg process, or as numbered PNGs. */
#ifndef THRONG_FILM_H
#define THRONG_FILM_H

#include "picture/canvas.h"

typedef struct throng_film throng_film;

/* `path` ends in .mp4; where no ffmpeg is installed, and where it has no ending, PNGs go into a folder of its name
 * (without the ending), which is made. NULL and a message when it cannot be written, or has another ending. */
throng_film *throng_film_open(const char *path, double fps, throng_error *error);

/* The next picture; the first one sets the size (rounded up to even numbers of pixels), others are cut off or filled up
 * to it. False when it cannot be written. */
bool throng_film_add(throng_film *film, const throng_canvas *canvas, throng_error *error);

/* The file, or the folder of PNGs. */
const char *throng_film_path(const throng_film *film);
bool throng_film_is_mp4(const throng_film *film); /* false: PNGs */
int32_t throng_film_frames(const throng_film *film);

/* Ends the film and frees it (NULL: nothing to do); false and a message when ffmpeg failed, nothing is left then. A
 * film without pictures leaves no file. */
bool throng_film_close(throng_film *film, throng_error *error);

#endif
