package io.middleware.engine.api.plugin;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.middleware.engine.api.schema.SchemaPatterns;

/** What a client needs to connect, in the form of the Service Binding specification. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ConnectionForm(
    @JsonPropertyDescription(
            "The kind of service, by which clients find their driver, for example redis.")
        @Required
        @Pattern(SchemaPatterns.DNS_LABEL)
        @Size(min = 1, max = 63)
        String type,
    @JsonPropertyDescription("The account that applications use, for example app.")
        @Required
        @Pattern(SchemaPatterns.DNS_LABEL)
        @Size(min = 1, max = 63)
        String username,
    @JsonPropertyDescription("The parameter of type secret with the password of this account.")
        @Required
        @Size(min = 1, max = 63)
        String password,
    @JsonPropertyDescription(
            "The address in one line, for example redis://{username}:{password}@{host}:{port}, of "
                + "which {username}, {password}, {host} and {port} are filled in and escaped. "
                + "Default: none.")
        @Size(max = 512)
        String uri,
    @JsonPropertyDescription(
            "The same for endpoints with tls, for example "
                + "rediss://{username}:{password}@{host}:{port}. Default: none.")
        @Size(max = 512)
        String tlsUri) {}
