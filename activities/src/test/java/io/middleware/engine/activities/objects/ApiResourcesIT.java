package io.middleware.engine.activities.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.temporal.failure.ApplicationFailure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Looks up the kinds that templates name. */
@ExtendWith(ApiServer.class)
class ApiResourcesIT {
  private final ApiResources resources;

  ApiResourcesIT(LocalNamespace cluster) {
    this.resources = new ApiResources(cluster.client());
  }

  @Test
  void shouldRefuseAKindThatTheApiServerDoesNotKnow() {
    assertUnknown("v1", "Namespace");
    assertUnknown("shop.io/v1", "Till");
    assertThat(resources.find("v1", "ConfigMap").getPlural()).isEqualTo("configmaps");
  }

  private void assertUnknown(String apiVersion, String kind) {
    assertThatThrownBy(() -> resources.find(apiVersion, kind))
        .isInstanceOfSatisfying(
            ApplicationFailure.class, e -> assertThat(e.getType()).isEqualTo("Invalid"))
        .hasMessageContaining(
            "the API server has no namespaced kind %s %s".formatted(apiVersion, kind));
  }
}
