import { spawnSync } from 'node:child_process';
import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { atEnd } from './at-end.ts';
import { whyNoProgram } from './skip.ts';
import { makeTempDir } from './temp.ts';

/** Adds the number in a file to what the wall clock says; clocks that measure durations stay. */
const shim = `#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
static volatile long long *step;
__attribute__((constructor)) static void begin(void) {
  int file = open(getenv("CLOCK_STEP"), O_RDONLY);
  void *shared = file < 0 ? MAP_FAILED : mmap(NULL, 8, PROT_READ, MAP_SHARED, file, 0);
  if (shared != MAP_FAILED) step = shared;
}
int clock_gettime(clockid_t id, struct timespec *now) {
  static int (*next)(clockid_t, struct timespec *);
  if (next == NULL) next = dlsym(RTLD_NEXT, "clock_gettime");
  int result = next(id, now);
  if (result == 0 && step != NULL && (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE)) now->tv_sec += *step;
  return result;
}
int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  struct timespec exact;
  (void)zone;
  int result = clock_gettime(CLOCK_REALTIME, &exact);
  now->tv_sec = exact.tv_sec;
  now->tv_usec = exact.tv_nsec / 1000;
  return result;
}
`;

/** Returns why the clock of a program cannot be set here, or `undefined`. */
export function whyNoSteps(): string | undefined {
  return process.platform === 'linux' ? whyNoProgram('cc') : 'only Linux has `LD_PRELOAD`';
}

/** A wall clock for programs with the variables `env`. */
export interface SteppedClock {
  readonly env: Readonly<Record<string, string>>;
  /** Sets the clock to the right time and this number of seconds. */
  step(seconds: number): void;
}

export function makeClock(): SteppedClock {
  const directory = makeTempDir('clock');
  const [source, library, file] = ['shim.c', 'shim.so', 'step'].map((name) => join(directory, name));
  if (source === undefined || library === undefined || file === undefined) throw new Error('no paths');
  writeFileSync(source, shim);
  const { status, stderr } = spawnSync('cc', ['-shared', '-fPIC', '-o', library, source, '-ldl']);
  if (status !== 0) throw new Error(stderr.toString());
  writeFileSync(file, Buffer.alloc(8));
  const open = openSync(file, 'r+');
  atEnd(() => {
    closeSync(open);
    return Promise.resolve();
  });
  const value = Buffer.alloc(8);
  return {
    env: { LD_PRELOAD: library, CLOCK_STEP: file },
    step: (seconds) => {
      value.writeBigInt64LE(BigInt(seconds));
      writeSync(open, value, 0, value.length, 0);
    },
  };
}
