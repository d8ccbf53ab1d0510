package io.middleware.engine.activities.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.middleware.engine.api.schema.HostileTexts;
import io.temporal.failure.ApplicationFailure;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ApiResourcesTest {

  @Test
  void shouldAskForNothingThatIsNoApiVersion() {
    // Given
    var nowhere =
        new ConfigBuilder()
            .withMasterUrl("http://127.0.0.1:1")
            .withRequestRetryBackoffLimit(0)
            .build();
    try (var client = new KubernetesClientBuilder().withConfig(nowhere).build()) {
      var resources = new ApiResources(client);
      Stream.concat(
              Stream.of("apps/v1/statefulsets?watch=true", "v1/namespaces/other/secrets", "v1\n"),
              HostileTexts.of("v1", 100).filter(text -> !text.matches("[a-z0-9-]+/[a-z0-9-]+")))
          .forEach(
              text -> {
                // When
                var failure =
                    catchThrowableOfType(
                        ApplicationFailure.class, () -> resources.find(text, "StatefulSet"));
                // Then: an answer without a call
                assertThat(failure.getType()).as(text).isEqualTo("Invalid");
                assertThat(failure.getOriginalMessage())
                    .startsWith("apiVersion: \"")
                    .endsWith(
                        "\" is not valid: use v1, or a group and a version, for example middleware.io/v1")
                    .doesNotContainPattern("[\\p{Cc}\\p{Cf}]");
              });
    }
  }
}
