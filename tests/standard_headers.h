// The headers that test programs use most, compiled once instead of once a program (precompiled.py). None of them makes an object of
// its own in each program, as <iostream> does: with them in front a program is the same program.
#include <atomic>
#include <barrier>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <future>
#include <latch>
#include <map>
#include <memory>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>
