#ifndef THRONG_VERSION_H
#define THRONG_VERSION_H

#define THRONG_VERSION "0.1.0"

#endif
