package io.middleware.engine.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.middleware.engine.api.check.Check;
import io.middleware.engine.api.schema.ListKey;
import io.middleware.engine.api.schema.SchemaPatterns;
import io.middleware.engine.api.schema.UntypedContent;
import java.util.List;
import java.util.Map;

/** One part of an App, as the App asks for it. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ComponentTemplate(
    @JsonPropertyDescription("Name of the component within the App, for example redis-nodes.")
        @Required
        @Pattern(SchemaPatterns.DNS_LABEL)
        @Size(min = 1, max = 40)
        String name,
    @JsonPropertyDescription(
            "Component type of the plugin, for example redis. Default: the component's "
                + "name. Immutable once the component has run.")
        @Pattern(SchemaPatterns.DNS_LABEL)
        @Size(min = 1, max = 63)
        String type,
    @JsonPropertyDescription(
            "Configuration parameters for all groups, each a string, an integer, a "
                + "boolean, or for a parameter of type secret {secretRef: {name: users, key: "
                + "password}} or {generate: 32}, its length; for example {maxmemory: 1gb}. They "
                + "are checked against the plugin. A Secret that changes is followed. Default: the "
                + "plugin's.")
        @Size(max = 256)
        @UntypedContent(UntypedContent.Form.VALUES)
        Map<String, Object> values,
    @JsonPropertyDescription(
            "Sets of equal pods (shards, pools), at most 32, each with its own name.")
        @Required
        @Size(min = 1, max = 32)
        @ListKey("name")
        List<GroupTemplate> groups,
    @JsonPropertyDescription(
            "What must hold after a change of this component, at most 16. Default: those of the plugin.")
        @Size(max = 16)
        @ListKey("name")
        List<Check> checks,
    @JsonPropertyDescription(
            "Accounts for applications, at most 16, each with its own privileges and password, for "
                + "example {name: reports, privileges: ReadOnly}. Default: those of the plugin alone.")
        @Size(max = 16)
        @ListKey("name")
        List<Account> accounts) {}
