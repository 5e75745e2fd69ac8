/* Tables of arrays. Each is one list, THRONG_..._ARRAYS(X), of X(type, name, count): what an array has elements of, and
 * how many, by the table `t`. The struct's members, their allocation and the uploads to a device come from it. */
#ifndef THRONG_ARRAY_TABLE_H
#define THRONG_ARRAY_TABLE_H

#include <stdint.h>

#define THRONG_ARRAY_MEMBER(type, name, ...) const type *name;

#endif
