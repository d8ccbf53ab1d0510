package io.middleware.engine.cluster.runlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.App;
import io.middleware.engine.api.AppSpecBuilder;
import io.middleware.engine.cluster.ClusterWaiter;
import io.middleware.engine.cluster.FakeView;
import io.middleware.engine.cluster.SpecHistoryReader;
import io.middleware.engine.workflows.port.ChangeRef;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whether a step on a pod may begin, by the view or by the API server. */
class PauseGateTest {
  private static final ChangeRef CHANGE = new ChangeRef("shop", "cache", "uid", 2, "new");

  private final FakeView view = new FakeView();
  private final App live = app("new", true);
  private int reads;

  @BeforeEach
  void show() {
    view.app = app("new", false);
  }

  @Test
  void shouldBelieveTheViewWhileItShowsTheLockOfTheRun() {
    assertThat(gate().unpausedWithSpec(CHANGE)).containsSame(view.app);
    assertThat(reads).isZero();
  }

  @Test
  void shouldReadTheAppWhenTheViewShowsAnotherLock() {
    view.app = app("old", false);
    assertThat(gate().unpausedWithSpec(CHANGE)).as("paused since").isEmpty();
    assertThat(reads).isOne();
  }

  @Test
  void shouldReadTheAppWhileTheViewDoesNotFollow() {
    view.watching = false;
    assertThat(gate().unpausedWithSpec(CHANGE)).as("paused since").isEmpty();
    assertThat(reads).isOne();
  }

  private PauseGate gate() {
    var fence = new RunLockFence(change -> read(), change -> false);
    return new PauseGate(fence, new SpecHistoryReader(null), view, new ClusterWaiter(view));
  }

  private Optional<App> read() {
    reads++;
    return Optional.of(live);
  }

  private static App app(String run, boolean paused) {
    var app = RunLockFenceTest.lockedBy(run);
    app.getMetadata().setGeneration(2L);
    app.setSpec(AppSpecBuilder.builder().paused(paused).components(List.of()).build());
    return app;
  }
}
