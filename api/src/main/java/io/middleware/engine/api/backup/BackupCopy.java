package io.middleware.engine.api.backup;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.soabase.recordbuilder.core.RecordBuilder;

/**
 * The copy of one group. The pod and the key are written before its agent is asked, so that a
 * repeat finds them.
 */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
@RecordBuilder
public record BackupCopy(
    @JsonPropertyDescription("The group, as component/group.") @Required @Size(max = 127) String id,
    @JsonPropertyDescription("The pod that it is a copy of.") @Size(max = 253) String pod,
    @JsonPropertyDescription("UID of that pod.") @Size(max = 64) String podUid,
    @JsonPropertyDescription("How many pods have begun to copy the group.") @Min(0)
        Integer attempts,
    @JsonPropertyDescription("Key of the copy in the store.") @Size(max = 1024) String key,
    @JsonPropertyDescription("Where the copy is, for people.") @Size(max = 2048) String location,
    @JsonPropertyDescription("Size of the copy in bytes.") @Min(0) Long bytes,
    @JsonPropertyDescription("Checksum of the copy, for example sha256:….") @Size(max = 128)
        String checksum,
    @JsonPropertyDescription("Version of the middleware that wrote it.") @Size(max = 64)
        String version,
    @JsonPropertyDescription("When the copy in the store was verified; absent until then.")
        @Size(max = 64)
        String verifiedAt)
    implements BackupCopyBuilder.With {

  /** The id of the copy of a group. */
  public static String id(String component, String group) {
    return component + "/" + group;
  }

  /** Whether the copy is complete and verified. */
  @JsonIgnore
  public boolean isVerified() {
    return verifiedAt != null;
  }
}
