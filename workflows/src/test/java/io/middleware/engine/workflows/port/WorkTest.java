package io.middleware.engine.workflows.port;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.task.OperationAction;
import io.middleware.engine.workflows.port.Work.Edit;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WorkTest {
  private static final OperationRef RESTART =
      new OperationRef("restart-1", "uid", OperationAction.RESTART);
  private static final OperationRef REPORT =
      new OperationRef("report-1", "uid", OperationAction.PLUGIN, "report", true);

  @Test
  void shouldBeTheEditThatMadeTheGeneration() {
    // When
    var work = Work.of(Optional.empty(), 7);
    // Then
    assertThat(work).isEqualTo(new Edit(7));
    assertThat(work.subject()).isEqualTo("generation 7");
    assertThat(work.shared()).isFalse();
    assertThat(work.workflowId("prod", "shop", "cache")).isEqualTo("prod/app/shop/cache");
  }

  @Test
  void shouldBeTheFirstOfItsAppOnlyAsItsFirstEdit() {
    assertThat(Work.of(Optional.empty(), 1).firstOfItsApp()).isTrue();
    assertThat(Work.of(Optional.empty(), 2).firstOfItsApp()).isFalse();
    assertThat(Work.of(Optional.of(RESTART), 1).firstOfItsApp()).isFalse();
  }

  @Test
  void shouldBeTheOperationWhateverTheGeneration() {
    // When
    var work = Work.of(Optional.of(RESTART), 7);
    // Then
    assertThat(work).isEqualTo(RESTART);
    assertThat(work.subject()).isEqualTo("Operation restart-1 (Restart)");
    assertThat(work.shared()).isFalse();
    assertThat(work.workflowId("", "shop", "cache")).isEqualTo("app/shop/cache");
  }

  @Test
  void shouldHaveAWorkflowOfItsOwnWhenItIsShared() {
    // When
    var work = Work.of(Optional.of(REPORT), 7);
    // Then
    assertThat(work.subject()).isEqualTo("Operation report-1 (report)");
    assertThat(work.shared()).isTrue();
    assertThat(work.workflowId("", "shop", "cache")).isEqualTo("op/shop/report-1");
  }

  @Test
  void shouldKnowAnOperationByItsNameAndItsUid() {
    assertThat(RESTART.isNamed("restart-1")).isTrue();
    assertThat(RESTART.isNamed("uid")).isTrue();
    assertThat(RESTART.isNamed("restart-2")).isFalse();
  }
}
