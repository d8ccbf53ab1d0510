package io.middleware.engine.api;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.middleware.engine.api.schema.SchemaPatterns;

/** The volume of each pod of a group. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value =
        "has(self.storageClassName) == has(oldSelf.storageClassName) && "
            + "(!has(self.storageClassName) || self.storageClassName == "
            + "oldSelf.storageClassName)",
    messageExpression =
        "'storageClassName is immutable (it is ' + (has(oldSelf.storageClassName) ? "
            + "oldSelf.storageClassName : 'not set') + '): a volume cannot move to another "
            + "class'",
    fieldPath = ".storageClassName",
    reason = "FieldValueForbidden")
public record Storage(
    @JsonPropertyDescription(
            "Size of each volume in bytes with a unit, for example 50Gi. It may grow, but "
                + "not shrink.")
        @Required
        @Pattern(SchemaPatterns.DISK_SIZE)
        @Size(min = 1, max = 20)
        String size,
    @JsonPropertyDescription(
            "StorageClass of each volume, for example fast; it must allow expansion for the "
                + "size to grow. Default: the cluster's default class. Immutable.")
        @Pattern(SchemaPatterns.OBJECT_NAME_OR_EMPTY)
        @Size(max = 253)
        String storageClassName) {}
