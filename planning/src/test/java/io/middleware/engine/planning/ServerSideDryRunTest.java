package io.middleware.engine.planning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.ImpersonatedClients;
import io.middleware.engine.cluster.status.AppStatusWriter;
import io.middleware.engine.planning.ServerSideDryRun.DryRunObject;
import io.middleware.engine.render.guard.ObjectKind;
import io.middleware.engine.render.guard.RenderedObject;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerSideDryRunTest {

  @ParameterizedTest
  @CsvSource({
    "403, Forbidden, WriteForbidden",
    "401, Unauthorized, WriteForbidden",
    "400, BadRequest, ObjectRefused",
    "404, NotFound, ObjectRefused",
    "422, Invalid, ObjectRefused",
    "500, , ObjectRefused",
  })
  void shouldRefuseInTheServersWords(int code, String reason, String expected) {
    // When
    var refusal = DryRunRefusals.refusal("Service shop/cache", answer(code, reason));
    // Then
    assertThat(refusal)
        .hasValueSatisfying(
            it -> {
              assertThat(it.reason()).isEqualTo(expected);
              assertThat(it.message()).startsWith("Service shop/cache: the server's words");
            });
  }

  @Test
  void shouldLeaveFieldsOfOtherManagersToTheTask() {
    assertThat(DryRunRefusals.refusal("Service shop/cache", answer(409, "Conflict"))).isEmpty();
  }

  @Test
  void shouldTakeFieldsOverWhereTheWriteWill() throws IOException {
    try (var server = new OwnedServices()) {
      // When
      var dryRunObjects = run(server, Map.of(Labels.FORCE_CONFLICTS, "true"));
      // Then
      assertThat(dryRunObjects.after())
          .hasValueSatisfying(it -> assertThat(it.getMetadata().getName()).isEqualTo("cache"));
      assertThat(server.applied)
          .singleElement(STRING)
          .contains("dryRun=All", "fieldManager=" + AppStatusWriter.MANAGER);
    }
  }

  @Test
  void shouldLeaveFieldsWhereTheWriteWill() throws IOException {
    try (var server = new OwnedServices()) {
      // When
      var dryRunObjects = run(server, Map.of());
      // Then
      assertThat(dryRunObjects.after()).isEmpty();
    }
  }

  @Test
  void shouldTryAgainWhenTheServerDoesNotAnswer() {
    assertThatThrownBy(
            () -> DryRunRefusals.refusal("Service shop/cache", answer(503, "Unavailable")))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> {
              assertThat(failure.getType()).isEqualTo(FaultKind.UNAVAILABLE.label());
              assertThat(failure.isNonRetryable()).isFalse();
            });
  }

  @Test
  void shouldAskTheNextTimeOnlyForWhatIsNotAnswered() throws IOException {
    // Given
    var services = IntStream.range(0, 100).mapToObj(it -> service("cache-" + it)).toList();
    var progress = new ArrayList<String>();
    try (var server = new OwnedServices()) {
      var dryRun =
          new ServerSideDryRun(
              new ImpersonatedClients(server.client, ""),
              message -> {
                progress.add(message);
                if (progress.size() == 50) {
                  throw new IllegalStateException("this attempt ends");
                }
              });
      assertThatIllegalStateException()
          .isThrownBy(() -> dryRun.run(app(Map.of()), services, Set.of()));
      var first = server.applied.size();
      // When
      dryRun.run(app(Map.of()), services, Set.of());
      // Then
      assertThat(first).isLessThan(100);
      assertThat(server.applied.size()).isBetween(100, 100 + 8);
      assertThat(progress).contains("dry run of 50 of 100 objects").hasSize(150);
      assertThat(progress.getLast()).isEqualTo("dry run of 100 of 100 objects");
      // and a later plan asks for all again
      dryRun.run(app(Map.of()), services, Set.of());
      assertThat(server.applied).hasSizeGreaterThanOrEqualTo(200);
    }
  }

  private static DryRunObject run(OwnedServices server, Map<String, String> annotations) {
    return new ServerSideDryRun(new ImpersonatedClients(server.client, ""), message -> {})
        .run(app(annotations), List.of(service("cache")), Set.of())
        .getFirst();
  }

  private static App app(Map<String, String> annotations) {
    var app = new App();
    app.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace("shop")
            .withName("cache")
            .withUid("uid-1")
            .withGeneration(1L)
            .withAnnotations(annotations)
            .build());
    return app;
  }

  private static RenderedObject service(String name) {
    return new RenderedObject(
        new ObjectKind("v1", "Service"),
        name,
        Map.of("apiVersion", "v1", "kind", "Service", "metadata", Map.of("name", name)));
  }

  private static KubernetesClientException answer(int code, String reason) {
    var status =
        new StatusBuilder()
            .withCode(code)
            .withReason(reason)
            .withMessage("the server's words")
            .build();
    return new KubernetesClientException("wrapped", code, status);
  }
}
