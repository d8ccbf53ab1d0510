package io.middleware.engine.api.plugin;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Nullable;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.middleware.engine.api.schema.SchemaPatterns;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.stream.Stream;

/** A Service of each group, for the applications that use it. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value = "!has(self.failoverSeconds) || self.role == 'Primary'",
    message = "failoverSeconds is only for role Primary",
    reason = "FieldValueInvalid")
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
        Integer port,
    @JsonPropertyDescription(
            "How long a failover may take, with role Primary: when a group has had no primary, or "
                + "several, for so many seconds, its App is not Ready. Default: 15.")
        @Nullable
        @Min(1)
        @Max(3600)
        Integer failoverSeconds,
    @JsonPropertyDescription(
            "The parameter of type secret that names the certificate of its servers: clients use "
                + "TLS, and a group without this parameter has no such Service. Default: none, its "
                + "clients use no TLS.")
        @Pattern(SchemaPatterns.PARAMETER)
        @Size(max = 128)
        String tls) {
  private static final int FAILOVER_SECONDS = 15;
  private static final java.util.regex.Pattern TEXT =
      java.util.regex.Pattern.compile("(\\S+) (\\S+) (\\d{1,5})(?: (\\d{1,4})s)?(?: (\\S+))?");

  /** One without TLS, whose failovers take no longer than usual. */
  public Endpoint(String name, EndpointRole role, Integer port) {
    this(name, role, port, null, null);
  }

  /** When a group that has had no primary, or several, for so long has a problem. */
  public Duration failover() {
    return Duration.ofSeconds(Objects.requireNonNullElse(failoverSeconds, FAILOVER_SECONDS));
  }

  /** As the annotation of its Service says it. */
  public String text() {
    var text = "%s %s %d".formatted(name, role.label(), port);
    var slow = failoverSeconds == null ? text : "%s %ds".formatted(text, failoverSeconds);
    return tls == null ? slow : slow + " " + tls;
  }

  /** Empty when the text is none. */
  public static Optional<Endpoint> parse(String text) {
    var words = TEXT.matcher(text);
    return words.matches()
        ? Stream.of(EndpointRole.values())
            .filter(role -> role.label().equals(words.group(2)))
            .findFirst()
            .map(role -> parsed(role, words))
        : Optional.empty();
  }

  private static Endpoint parsed(EndpointRole role, MatchResult words) {
    var seconds = words.group(4) == null ? null : Integer.valueOf(words.group(4));
    return new Endpoint(
        words.group(1), role, Integer.valueOf(words.group(3)), seconds, words.group(5));
  }
}
