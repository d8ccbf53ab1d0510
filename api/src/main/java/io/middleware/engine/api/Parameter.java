package io.middleware.engine.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/** A configuration parameter of a component type. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Parameter(
    String name,
    String type,
    @JsonProperty("default") Object defaultValue,
    Long minimum,
    Long maximum,
    @JsonProperty("enum") List<Object> allowed,
    String pattern,
    String effect) {}
