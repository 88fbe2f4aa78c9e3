/* What a program under test may say to Heddle. Usable from C and C++; `heddle cc` and `heddle c++` find it by themselves.
 *
 * Every function does something sensible outside `heddle check`, so that the calls can stay in the program. */
#ifndef HEDDLE_HEDDLE_H
#define HEDDLE_HEDDLE_H

#ifdef __cplusplus
extern "C" {
#endif

/* Picks one of 0 .. n-1. `heddle check` explores all of them, like it explores all schedules.
 * Outside heddle, and for n < 2: 0. */
int heddle_choose(int n);

#ifdef __cplusplus
}
#endif
#endif
