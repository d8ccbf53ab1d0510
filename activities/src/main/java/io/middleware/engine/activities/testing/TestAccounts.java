package io.middleware.engine.activities.testing;

import io.middleware.engine.activities.objects.ApiResources;
import io.middleware.engine.cluster.ImpersonatedClients;
import io.middleware.engine.render.sensitive.SensitiveParameters;
import java.util.function.Supplier;

/**
 * What all tests share of the cluster.
 *
 * @param apiResources looked up once for all of them
 * @param sensitive the parameters that any Plugin declares sensitive: tests do not read their
 *     values
 */
public record TestAccounts(
    ImpersonatedClients clients,
    ApiResources apiResources,
    Supplier<SensitiveParameters> sensitive) {

  /**
   * The objects of a namespace as a service account of it reads and writes them.
   *
   * @param uid of the test
   */
  public TestObjects objects(String namespace, String account, String uid) {
    return new TestObjects(clients.of(namespace, account), this, namespace, uid);
  }
}
