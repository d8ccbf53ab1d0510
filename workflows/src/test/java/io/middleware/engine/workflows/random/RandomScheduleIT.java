package io.middleware.engine.workflows.random;

import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Some invariants hold whatever users and operators do, in any order. {@code -Dschedules=N} runs
 * another number of schedules, {@code -Dseed=S} begins at the seed that a failure prints.
 *
 * <p>Time is not skipped: the in-memory server also skips while a workflow task is on its way to a
 * worker, by years when only the time limit of a run remains.
 */
@Isolated("runs twelve worlds at once, whose steps must outlast a cancel's way")
class RandomScheduleIT {
  private static final int SCHEDULES = Integer.getInteger("schedules", 100);
  private static final long FIRST_SEED = Long.getLong("seed", 1);
  private static final int TOGETHER = 12;

  private final AtomicLong next = new AtomicLong(FIRST_SEED);

  @Test
  void shouldKeepItsInvariantsWhateverHappens() throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      // When
      var worlds = new ArrayList<Callable<Void>>();
      for (int world = 0; world < TOGETHER; world++) {
        worlds.add(this::live);
      }
      // Then
      for (var world : threads.invokeAll(worlds)) {
        world.get();
      }
    }
  }

  private Void live() {
    try (var world = new RandomWorld()) {
      for (long seed = next.getAndIncrement();
          seed < FIRST_SEED + SCHEDULES;
          seed = next.getAndIncrement()) {
        world.live(seed);
      }
    } catch (AssertionError e) {
      next.addAndGet(SCHEDULES);
      throw e;
    }
    return null;
  }
}
