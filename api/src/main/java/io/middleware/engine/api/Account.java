package io.middleware.engine.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.middleware.engine.api.schema.SchemaPatterns;
import io.middleware.engine.api.schema.UntypedContent;
import java.util.Map;

/** An account of the middleware, for applications of the App. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Account(
    @JsonPropertyDescription("The name by which clients log in, for example reports.")
        @Required
        @Pattern(SchemaPatterns.DNS_LABEL)
        @Size(min = 1, max = 40)
        String name,
    @JsonPropertyDescription("What it may do: a name that the plugin has, for example ReadOnly.")
        @Required
        @Size(min = 1, max = 63)
        String privileges,
    @JsonPropertyDescription(
            "Where its password is: {secretRef: {name: users, key: reports}}, or {generate: 32} "
                + "for one of this length that is made once. Default: {generate: 32}.")
        @Size(max = 2)
        @UntypedContent(UntypedContent.Form.ANYTHING)
        Map<String, Object> password) {}
