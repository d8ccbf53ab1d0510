package io.middleware.engine.api.operation;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.middleware.engine.api.schema.ListKey;
import java.util.List;

/** What a rebuild replaces. It is written before anything is deleted, and nothing else is. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RebuildStatus(
    @JsonPropertyDescription("Name of the pod.") @Required @Size(max = 253) String pod,
    @JsonPropertyDescription("UID of the deleted pod.") @Size(max = 64) String uid,
    @JsonPropertyDescription("The volume claims deleted with it.") @Size(max = 64) @ListKey("name")
        List<RebuiltClaim> claims,
    @JsonPropertyDescription("UID of the pod that replaced it; absent until that pod is ready.")
        @Size(max = 64)
        String newUid) {
  public RebuildStatus {
    claims = claims == null ? List.of() : List.copyOf(claims);
  }

  /** The same, done. */
  public RebuildStatus doneAs(String successor) {
    return new RebuildStatus(pod, uid, claims, successor);
  }

  /** A volume claim that goes. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record RebuiltClaim(
      @JsonPropertyDescription("Name of the claim.") @Required @Size(max = 253) String name,
      @JsonPropertyDescription("UID of the claim. A later claim of this name is kept.")
          @Required
          @Size(max = 64)
          String uid) {}
}
