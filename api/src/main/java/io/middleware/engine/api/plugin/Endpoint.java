package io.middleware.engine.api.plugin;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.middleware.engine.api.schema.SchemaPatterns;
import java.util.Optional;
import java.util.stream.Stream;

/** A Service of each group, for the applications that use it. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Endpoint(
    @JsonPropertyDescription(
            "The end of the Service's name, behind that of the group, for example rw.")
        @Pattern(SchemaPatterns.DNS_LABEL)
        @Size(min = 1, max = 10)
        String name,
    @JsonPropertyDescription(
            "The pods that it leads to: Primary, the one that says it is the primary, or none; "
                + "Replica, those that say another role; Any, all that are ready. Primary and "
                + "Replica need agents.")
        @Required
        EndpointRole role,
    @JsonPropertyDescription("The port of the pods, and of the Service, for example 6379.")
        @Required
        @Min(1)
        @Max(65_535)
        Integer port) {

  /** As the annotation of its Service says it. */
  public String text() {
    return "%s %s %d".formatted(name, role.label(), port);
  }

  /** Empty when the text is none. */
  public static Optional<Endpoint> parse(String text) {
    var words = text.split(" ");
    return words.length == 3 && words[2].matches("\\d{1,5}")
        ? Stream.of(EndpointRole.values())
            .filter(role -> role.label().equals(words[1]))
            .findFirst()
            .map(role -> new Endpoint(words[0], role, Integer.valueOf(words[2])))
        : Optional.empty();
  }
}
