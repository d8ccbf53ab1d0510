package io.middleware.engine.api.testing;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.middleware.engine.api.schema.SchemaPatterns;

/** An object in the namespace of a test. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ObjectRef(
    @JsonPropertyDescription("API version of the object, for example middleware.io/v1.")
        @Required
        @Pattern(SchemaPatterns.API_VERSION)
        @Size(min = 1, max = 253)
        String apiVersion,
    @JsonPropertyDescription("Kind of the object, for example App.")
        @Required
        @Pattern(SchemaPatterns.KIND)
        @Size(min = 1, max = 63)
        String kind,
    @JsonPropertyDescription("Name of the object, for example cache.")
        @Required
        @Pattern(SchemaPatterns.OBJECT_NAME)
        @Size(min = 1, max = 253)
        String name) {

  /** For example {@code App cache}. */
  @Override
  public String toString() {
    return kind + " " + name;
  }
}
