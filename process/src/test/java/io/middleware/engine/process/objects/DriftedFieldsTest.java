package io.middleware.engine.process.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A StatefulSet that the engine has applied with an image and a variable. */
class DriftedFieldsTest {
  private static final String OWN =
      """
      {"manager": "middleware-engine", "operation": "Apply", "fieldsV1": {"f:spec": {"f:replicas": {},
       "f:template": {"f:spec": {"f:containers": {"k:{\\"name\\":\\"redis\\"}": {".": {}, "f:name": {}, "f:image": {},
        "f:env": {"k:{\\"name\\":\\"A\\"}": {".": {}, "f:name": {}, "f:value": {}}}}}}}}}}
      """;

  @Test
  void shouldNameAVariableThatAPersonHasAdded() {
    assertThat(
            texts(
                """
                {"manager": "kubectl-set", "operation": "Update", "fieldsV1": {"f:spec": {"f:template": {"f:spec":
                 {"f:containers": {"k:{\\"name\\":\\"redis\\"}": {"f:env": {".": {}, "k:{\\"name\\":\\"DEBUG\\"}":
                  {".": {}, "f:name": {}, "f:value": {}}}}}}}}}}
                """))
        .containsExactly("kubectl-set: spec.template.spec.containers[redis].env[DEBUG]");
  }

  @Test
  void shouldNameWhatRolloutRestartAndUndoWrite() {
    assertThat(
            texts(
                """
                {"manager": "kubectl-rollout", "operation": "Update", "fieldsV1": {"f:spec": {"f:template":
                 {"f:metadata": {"f:annotations": {".": {}, "f:kubectl.kubernetes.io/restartedAt": {}}},
                  "f:spec": {"f:containers": {"k:{\\"name\\":\\"other\\"}": {"f:image": {}}}}}}}}
                """))
        .containsExactly(
            "kubectl-rollout: spec.template.metadata.annotations[kubectl.kubernetes.io/restartedAt], spec.template.spec.containers[other].image");
  }

  @Test
  void shouldLeaveWhatOthersMayOwnAlone() {
    assertThat(
            texts(
                """
                {"manager": "kube-controller-manager", "operation": "Update", "subresource": "scale",
                 "fieldsV1": {"f:spec": {"f:replicas": {}}}}
                """,
                """
                {"manager": "keda", "operation": "Apply", "fieldsV1": {"f:metadata": {"f:annotations": {"f:a": {}}},
                 "f:spec": {"f:replicas": {}}}}
                """,
                """
                {"manager": "twin", "operation": "Update", "fieldsV1": {"f:spec": {"f:template": {"f:spec":
                 {"f:containers": {"k:{\\"name\\":\\"redis\\"}": {"f:image": {}}}}}}}}
                """))
        .isEmpty();
  }

  private static List<String> texts(String... others) {
    var set =
        Serialization.unmarshal(
            """
            {"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": {"name": "db", "managedFields": [%s, %s]}}
            """
                .formatted(OWN, String.join(",", others)),
            HasMetadata.class);
    return DriftedFields.in(set).stream().map(DriftedFields::toString).toList();
  }
}
