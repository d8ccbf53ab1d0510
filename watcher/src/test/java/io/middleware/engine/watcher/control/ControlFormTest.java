package io.middleware.engine.watcher.control;

import static io.middleware.engine.watcher.control.ControlForm.CANCEL;
import static io.middleware.engine.watcher.control.ControlForm.RETRY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.middleware.engine.watcher.change.ControlRequest;
import io.middleware.engine.watcher.change.ControlRequest.CancelChange;
import io.middleware.engine.watcher.change.ControlRequest.CancelTasks;
import io.middleware.engine.watcher.change.ControlRequest.RetryTasks;
import io.middleware.engine.workflows.request.CancelRequest;
import io.middleware.engine.workflows.request.ChangeScope;
import io.middleware.engine.workflows.request.RetryRequest;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ControlFormTest {

  static Stream<Arguments> requests() {
    return Stream.of(
        arguments(CANCEL, "{}", new CancelChange(new ChangeScope(Optional.empty()))),
        arguments(CANCEL, " { } ", new CancelChange(new ChangeScope(Optional.empty()))),
        arguments(
            CANCEL,
            "{\"cancelTaskIds\": [\"7-config-a\", \"7-config-b\"]}",
            new CancelTasks(new CancelRequest(List.of("7-config-a", "7-config-b")))),
        arguments(
            RETRY,
            "{\"retryTaskIds\": [\"7-config-a\"]}",
            new RetryTasks(new RetryRequest(List.of("7-config-a"), false))),
        arguments(
            RETRY,
            "{\"resetDependencies\": true, \"retryTaskIds\": [\"7-config-a\"]}",
            new RetryTasks(new RetryRequest(List.of("7-config-a"), true))));
  }

  @ParameterizedTest
  @MethodSource("requests")
  void shouldReadWhatIsAskedFor(ControlForm form, String value, ControlRequest control) {
    assertThat(form.read(value)).isEqualTo(control);
  }

  static Stream<Arguments> junk() {
    return Stream.of(
        arguments(CANCEL, "", "is not a JSON object"),
        arguments(CANCEL, "7-config-a", "is not valid JSON, see line 1"),
        arguments(CANCEL, "{\"cancelTaskIds\": [\"a\"}", "is not valid JSON, see line 1, column"),
        arguments(CANCEL, "{} {}", "is not valid JSON"),
        arguments(CANCEL, "null", "is not a JSON object"),
        arguments(CANCEL, "12", "is not a JSON object"),
        arguments(CANCEL, "[\"7-config-a\"]", "is not a JSON object"),
        arguments(CANCEL, "[".repeat(16_000), "is not valid JSON"),
        arguments(CANCEL, "x".repeat(200 * 1024), "has 204800 characters, more than 16384"),
        arguments(CANCEL, "{\"cancelTaskIds\": []}", "cancelTaskIds is empty"),
        arguments(
            CANCEL,
            "{\"cancelTaskIds\": null}",
            "cancelTaskIds is of type null, not a list of ids"),
        arguments(
            CANCEL, "{\"cancelTaskIds\": \"a\"}", "cancelTaskIds is of type string, not a list"),
        arguments(
            CANCEL, "{\"cancelTaskIds\": [7]}", "an entry of cancelTaskIds is of type number"),
        arguments(
            CANCEL, "{\"cancelTaskIds\": [[\"a\"]]}", "is of type array, not an id in quotes"),
        arguments(CANCEL, "{\"cancelTasks\": [\"a\"]}", "has an unknown field 'cancelTasks'"),
        arguments(CANCEL, "{\"" + "y".repeat(9_000) + "\": 1}", "y…'"),
        arguments(
            CANCEL,
            "{\"cancelTaskIds\": [\"a\"], \"cancelTaskIds\": [\"b\"]}",
            "is not valid JSON"),
        arguments(RETRY, "{\"resetDependencies\": true}", "retryTaskIds is missing"),
        arguments(
            RETRY,
            "{\"retryTaskIds\": [\"a\"], \"resetDependencies\": \"true\"}",
            "resetDependencies is of type string, not true or false"));
  }

  @ParameterizedTest(name = "{2}")
  @MethodSource("junk")
  void shouldSayWhatIsWrongAndWhatIsExpected(ControlForm form, String value, String what) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> form.read(value))
        .withMessageStartingWith("annotation " + form.annotation() + " cannot be read: ")
        .withMessageContaining(what)
        .withMessageContaining("TaskIds\": [\"12-config-redis-nodes\"]")
        .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(500));
  }
}
