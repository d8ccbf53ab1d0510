package io.middleware.engine.api.plugin;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.middleware.engine.api.schema.ListKey;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Accounts that an App may ask for, with a choice of privileges. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AccountOffer(
    @JsonPropertyDescription("What accounts may be allowed to do, at most 16.")
        @Required
        @Size(min = 1, max = 16)
        @ListKey("name")
        List<Privileges> privileges,
    @JsonPropertyDescription(
            "The parameter of type secret without which there can be no accounts, for example "
                + "engine-password. Default: none.")
        @Size(max = 63)
        String requires,
    @JsonPropertyDescription(
            "Names that no account of an App may have, because the middleware or the templates use "
                + "them, at most 16. Default: none.")
        @Size(max = 16)
        List<@Size(max = 63) String> reserved) {

  /** What an account may do. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Privileges(
      @JsonPropertyDescription("By which Apps ask for it, for example ReadOnly.")
          @Required
          @Pattern("^[A-Za-z][A-Za-z0-9-]*$")
          @Size(min = 1, max = 63)
          String name,
      @JsonPropertyDescription(
              "How the middleware says it, for example ~* +@read; the agents read it in a file.")
          @Required
          @Size(min = 1, max = 1024)
          String rules) {}

  /** The rules of some privileges; empty when there are none of this name. */
  public Optional<String> rules(String name) {
    return Stream.ofNullable(privileges)
        .flatMap(List::stream)
        .filter(it -> it.name().equals(name))
        .map(Privileges::rules)
        .findFirst();
  }
}
