package io.middleware.engine.api.testing;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;

/**
 * A value of the target that the pods of a workload get: as an annotation of their template, which
 * the Downward API makes an environment variable.
 */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Injection(
    @JsonPropertyDescription(
            "Name of the value, for example TARGET_HOST, which becomes the annotation "
                + "test.middleware.io/inject-target-host.")
        @Required
        @Pattern("^[A-Z]([A-Z0-9_]*[A-Z0-9])?$")
        @Size(min = 1, max = 50)
        String name,
    @JsonPropertyDescription(
            "An expression with the value, for example \"target.metadata.name + '-redis-nodes'\". "
                + "Variables: target (the object as it is), namespace, test.")
        @Required
        @Size(min = 1, max = 1024)
        String cel) {
  /** With which the annotations begin. */
  public static final String PREFIX = "test.middleware.io/inject-";

  /** The annotation that carries the value. */
  public String annotation() {
    return PREFIX + name.toLowerCase(java.util.Locale.ROOT).replace('_', '-');
  }
}
