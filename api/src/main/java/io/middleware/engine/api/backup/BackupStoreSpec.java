package io.middleware.engine.api.backup;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.middleware.engine.api.schema.SchemaPatterns;

/** Where backups are kept. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonClassDescription("Where backups are kept: a bucket of an S3 service, or a folder on a volume.")
@ValidationRule(
    value = "has(self.s3) != has(self.folder)",
    message = "give either s3 or folder",
    reason = "FieldValueRequired")
@ValidationRule(
    value =
        "has(self.s3) == has(oldSelf.s3) && has(self.folder) == has(oldSelf.folder)"
            + " && (!has(self.s3) || !has(oldSelf.s3) || self.s3.bucket == oldSelf.s3.bucket"
            + " && has(self.s3.prefix) == has(oldSelf.s3.prefix)"
            + " && (!has(self.s3.prefix) || self.s3.prefix == oldSelf.s3.prefix))"
            + " && (!has(self.folder) || !has(oldSelf.folder) || self.folder == oldSelf.folder)",
    message = "the existing copies could no longer be found: create another BackupStore",
    reason = "FieldValueForbidden")
public record BackupStoreSpec(
    @JsonPropertyDescription("A bucket of a service that speaks S3.") S3 s3,
    @JsonPropertyDescription(
            "A folder on a volume that all pods can mount at the same time (ReadWriteMany).")
        Folder folder) {

  /** A bucket. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record S3(
      @JsonPropertyDescription("URL of the service, for example https://s3.example.com.")
          @Required
          @Pattern(SchemaPatterns.SERVICE_URL)
          @Size(min = 8, max = 512)
          String endpoint,
      @JsonPropertyDescription("Name of the bucket, which must exist.")
          @Required
          @Pattern(SchemaPatterns.BUCKET)
          @Size(min = 3, max = 63)
          String bucket,
      @JsonPropertyDescription("Prefix of all keys, for example prod. Default: none.")
          @Pattern("^[A-Za-z0-9_][-._A-Za-z0-9]*(/[A-Za-z0-9_][-._A-Za-z0-9]*)*/?$")
          @Size(min = 1, max = 256)
          String prefix,
      @JsonPropertyDescription("Region of the bucket. Default: us-east-1.")
          @Default("us-east-1")
          @Pattern("^[a-z0-9-]+$")
          @Size(min = 1, max = 64)
          String region,
      @JsonPropertyDescription(
              "Whether the bucket is in the path of the URL instead of in its host name. Default: true.")
          @Default("true")
          Boolean pathStyle,
      @JsonPropertyDescription(
              "The Secret with the keys access-key, secret-key and, for a private certificate "
                  + "authority, ca.crt.")
          @Required
          SecretRef secretRef) {}

  /** A folder on a volume. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Folder(
      @JsonPropertyDescription("Name of the PersistentVolumeClaim.")
          @Required
          @Pattern(SchemaPatterns.OBJECT_NAME)
          @Size(min = 1, max = 253)
          String claimName,
      @JsonPropertyDescription("Path of the folder on the volume. Default: the whole volume.")
          @Pattern("^[A-Za-z0-9_][-._A-Za-z0-9]*(/[A-Za-z0-9_][-._A-Za-z0-9]*)*$")
          @Size(min = 1, max = 256)
          String path) {}
}
