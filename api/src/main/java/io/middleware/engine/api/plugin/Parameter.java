package io.middleware.engine.api.plugin;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.middleware.engine.api.schema.SchemaPatterns;
import io.middleware.engine.api.schema.UntypedContent;
import java.util.List;

/** A configuration parameter of a component type. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value =
        "!(has(self.minimum) || has(self.maximum)) || (has(self.type) && self.type == "
            + "'integer')",
    message = "minimum and maximum are for parameters of type integer",
    reason = "FieldValueForbidden")
@ValidationRule(
    value = "!has(self.pattern) || !has(self.type) || self.type == 'string'",
    message = "pattern is for parameters of type string",
    fieldPath = ".pattern",
    reason = "FieldValueForbidden")
@ValidationRule(
    value = "!has(self.minimum) || !has(self.maximum) || self.minimum <= self.maximum",
    message = "minimum is larger than maximum",
    fieldPath = ".minimum",
    reason = "FieldValueForbidden")
@ValidationRule(
    value =
        "!has(self.type) || self.type != 'secret' || !has(self.effect) || self.effect != 'Immutable'",
    message = "a parameter of type secret cannot be Immutable: passwords are changed",
    fieldPath = ".effect",
    reason = "FieldValueForbidden")
@ValidationRule(
    value =
        "!has(self.derived) || !(has(self.type) && self.type == 'secret') && !(has(self.effect) && "
            + "self.effect == 'Immutable')",
    message =
        "a derived parameter cannot be Immutable or of type secret: its value changes with other components",
    fieldPath = ".derived",
    reason = "FieldValueForbidden")
@ValidationRule(
    value = "!has(self.rotates) || !self.rotates || has(self.type) && self.type == 'secret'",
    message = "only a parameter of type secret can be rotated",
    fieldPath = ".rotates",
    reason = "FieldValueForbidden")
public record Parameter(
    @JsonPropertyDescription("Name of the parameter, for example maxmemory.")
        @Pattern(SchemaPatterns.PARAMETER)
        @Size(min = 1, max = 128)
        String name,
    @JsonPropertyDescription(
            "Type of its value; that of type secret stands in a Secret, which the App names. "
                + "Default: string.")
        @Default("string")
        ParameterType type,
    @JsonPropertyDescription(
            "Its value when it is not set, for example 16. Default: the parameter is absent.")
        @UntypedContent(UntypedContent.Form.SCALARS)
        @JsonProperty("default")
        Object defaultValue,
    @JsonPropertyDescription("Smallest value of an integer. Default: no limit.") Long minimum,
    @JsonPropertyDescription("Largest value of an integer. Default: no limit.") Long maximum,
    @JsonPropertyDescription(
            "The only values it may have, for example [\"yes\", \"no\"]. Default: any.")
        @Size(max = 256)
        @UntypedContent(UntypedContent.Form.SCALARS)
        @JsonProperty("enum")
        List<Object> allowed,
    @JsonPropertyDescription(
            "Regular expression (RE2 syntax) that a string must match, for example "
                + "\"^[0-9]+(kb|mb|gb)?$\". Default: any string.")
        @Size(min = 1, max = 1024)
        String pattern,
    @JsonPropertyDescription(
            "How a change of it takes effect: Hot is reloaded by the running pods' agents, Restart "
                + "replaces the pods, Immutable is refused. A Hot parameter restarts the pods when "
                + "it is set for the first time, or removed without a default. Default: Restart.")
        @Default("Restart")
        ParameterEffect effect,
    @JsonPropertyDescription(
            "Whether its value is a secret, which no status, event, log, refusal or kept spec shows. "
                + "Those whose names contain pass, secret, token, credential, auth or key always "
                + "are. Default: false.")
        @Default("false")
        Boolean sensitive,
    @JsonPropertyDescription(
            "An expression over components and uses that gives its value where the App sets none, "
                + "for example components['redis-nodes'].groups.map(g, g.name).join(' '). Where it gives "
                + "null, the default counts. Default: none.")
        @Size(min = 1, max = 4096)
        String derived,
    @JsonPropertyDescription(
            "Whether an Operation RotateSecrets may change its value: the pods accept the values "
                + "under nextKey and previousKey as well, and the agents run rotate-passwords. Default: false.")
        Boolean rotates) {

  /** One that is neither derived nor rotated. */
  public Parameter(
      String name,
      ParameterType type,
      Object defaultValue,
      Long minimum,
      Long maximum,
      List<Object> allowed,
      String pattern,
      ParameterEffect effect,
      Boolean sensitive) {
    this(
        name,
        type,
        defaultValue,
        minimum,
        maximum,
        allowed,
        pattern,
        effect,
        sensitive,
        null,
        null);
  }
}
