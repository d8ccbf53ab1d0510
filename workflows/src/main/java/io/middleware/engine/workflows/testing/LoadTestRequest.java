package io.middleware.engine.workflows.testing;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Objects;
import java.util.Optional;

/**
 * A LoadTest that is to be carried out.
 *
 * @param cluster the name of the engine's cluster; may be empty
 * @param name of the LoadTest
 * @param uid of the LoadTest; of one that a step names, empty
 * @param step for example {@code upgrade-7.2/swap}: the IntegrationTest and the step during which
 *     the load runs; empty for a LoadTest of its own. Such a load writes no status of the LoadTest
 */
public record LoadTestRequest(
    String cluster,
    String namespace,
    String name,
    @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> uid,
    @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> step) {
  public LoadTestRequest {
    requireNonNull(cluster, "cluster");
    requireNonNull(namespace, "namespace");
    requireNonNull(name, "name");
    uid = Objects.requireNonNullElse(uid, Optional.empty());
    step = Objects.requireNonNullElse(step, Optional.empty());
  }
}
