package io.middleware.engine.workflows.testing.port;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Objects;
import java.util.Optional;

/**
 * A load, and the run that carries it out.
 *
 * @param creator what the objects of the workload are labelled with: the uid of the LoadTest; for
 *     the load of a step, the id of the run
 * @param step for example {@code upgrade-7.2/swap}: the IntegrationTest and its step; empty for a
 *     LoadTest of its own
 * @param specDigest stands for the spec as the load has begun with it; empty until then
 */
public record LoadRef(
    TestRef test,
    String creator,
    @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> step,
    @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<String> specDigest)
    implements TestWork {
  public LoadRef {
    requireNonNull(test, "test");
    requireNonNull(creator, "creator");
    step = Objects.requireNonNullElse(step, Optional.empty());
    specDigest = Objects.requireNonNullElse(specDigest, Optional.empty());
  }

  /** One that has not begun. */
  public LoadRef(TestRef test, String creator, Optional<String> step) {
    this(test, creator, step, Optional.empty());
  }

  /** The same, begun with this spec. */
  public LoadRef with(String digest) {
    return new LoadRef(test, creator, step, Optional.of(digest));
  }

  /** Whether the LoadTest describes this load only, and its status says how far it is. */
  public boolean hasStatus() {
    return step.isEmpty();
  }

  /** For example {@code LoadTest shop/benchmark}. */
  @Override
  public String toString() {
    return "LoadTest %s/%s".formatted(test.namespace(), test.name());
  }
}
