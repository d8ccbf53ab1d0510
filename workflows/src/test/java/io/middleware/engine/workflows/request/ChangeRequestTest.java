package io.middleware.engine.workflows.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.task.OperationAction;
import io.middleware.engine.workflows.port.OperationRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChangeRequestTest {

  @ParameterizedTest
  @CsvSource({
    // uid, created, generation, deleted, overtakes and ends an App "b" of 100, generation 5
    "b, 100, 6, false, true, false",
    "b, 100, 5, false, false, false",
    "b, 100, 4, false, false, false",
    "b, 100, 5, true, true, true",
    "b, 100, 6, true, true, true",
    "a, 50, 9, false, false, false",
    "a, 50, 9, true, false, false",
    "c, 150, 1, false, true, true",
    "c, 150, 1, true, true, true",
    "c, 100, 1, false, true, false"
  })
  void shouldKnowWhatItOvertakesAndEnds(
      String uid, long created, long generation, boolean deleted, boolean overtakes, boolean ends) {
    // Given
    var running = new ChangeRequest(new ChangeTarget("shop", "cache", "b", 100), 5, false);
    // When
    var request =
        new ChangeRequest(new ChangeTarget("shop", "cache", uid, created), generation, deleted);
    // Then
    assertThat(request.overtakes(running)).isEqualTo(overtakes);
    assertThat(request.ends(running)).isEqualTo(ends);
  }

  @Test
  void shouldKnowTheWorkflowThatCarriesItOut() {
    // Given
    var request = new ChangeRequest(new ChangeTarget("shop", "cache", "b", 100), 5, false);
    var exclusive = new OperationRef("flush-1", "uid", OperationAction.PLUGIN, "flush");
    var shared = new OperationRef("report-1", "uid", OperationAction.PLUGIN, "report", true);
    // When Then
    assertThat(request.workflowId("west")).isEqualTo("west/app/shop/cache");
    assertThat(request.of(new OperationRequest(exclusive)).workflowId(""))
        .isEqualTo("app/shop/cache");
    assertThat(request.of(new OperationRequest(shared)).workflowId("west"))
        .isEqualTo("west/op/shop/report-1");
  }

  /** As when a run that nobody has begun yet is signalled with several edits at once. */
  @Test
  void shouldCountTheGenerationsThatItReplacesBeforeTheyBegin() {
    var first = at("b", 5).superseding(2);
    assertThat(at("b", 12).insteadOf(first).superseded()).isEqualTo(9);
    assertThat(at("b", 5).insteadOf(first).superseded()).isEqualTo(2);
    assertThat(at("c", 12).insteadOf(first).superseded()).isZero();
  }

  private static ChangeRequest at(String uid, long generation) {
    return new ChangeRequest(new ChangeTarget("shop", "cache", uid, 100), generation, false);
  }
}
