package io.middleware.engine.api.access;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/** The pods that may connect to an App as clients. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ClientAccess(
    @JsonPropertyDescription(
            "The namespaces of the clients by their labels, for example {matchLabels: "
                + "{kubernetes.io/metadata.name: shop}}; {} is all namespaces. Default: the App's own.")
        @Nullable LabelSelection namespaces,
    @JsonPropertyDescription(
            "The clients' pods in these namespaces by their labels, for example {matchLabels: {app: web}}; {} is "
                + "all pods. Default: all pods of namespaces, and without namespaces none.")
        @Nullable LabelSelection pods) {}
