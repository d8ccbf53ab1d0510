package io.middleware.engine.api.backup;

import static io.fabric8.crd.generator.annotation.AdditionalPrinterColumn.Type.DATE;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Categories;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Version;

/** Where the backups of the Apps of a namespace are kept. */
@io.fabric8.kubernetes.model.annotation.Group("middleware.io")
@Version("v1")
@Plural("backupstores")
@ShortNames("mwstore")
@Categories("middleware")
@JsonClassDescription("Where backups of the Apps of its namespace are kept.")
@AdditionalPrinterColumn(name = "Endpoint", jsonPath = ".spec.s3.endpoint")
@AdditionalPrinterColumn(name = "Bucket", jsonPath = ".spec.s3.bucket")
@AdditionalPrinterColumn(name = "Claim", jsonPath = ".spec.folder.claimName")
@AdditionalPrinterColumn(name = "Age", jsonPath = ".metadata.creationTimestamp", type = DATE)
public final class BackupStore extends CustomResource<BackupStoreSpec, Void> implements Namespaced {
  private static final long serialVersionUID = 1L;

  @Override
  protected BackupStoreSpec initSpec() {
    return null;
  }

  @Override
  protected Void initStatus() {
    return null;
  }
}
