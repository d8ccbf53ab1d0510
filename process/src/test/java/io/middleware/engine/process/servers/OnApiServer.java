package io.middleware.engine.process.servers;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;

/**
 * Gives the constructor of a test class a {@link LocalCluster}: a namespace of its own on a real
 * API server, which is started once for all classes.
 */
public class OnApiServer extends LocalServerExtension {

  public OnApiServer() {
    super(ServerBinary.ETCD, ServerBinary.API_SERVER);
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == LocalCluster.class;
  }

  @Override
  public LocalCluster resolveParameter(ParameterContext parameter, ExtensionContext context) {
    var client = server(context).client();
    return new LocalCluster(client, newNamespace(context));
  }

  protected static LocalApiServer server(ExtensionContext context) {
    return once(context, LocalApiServer.class, LocalApiServer::new);
  }

  /** Makes a namespace that nobody else knows. */
  protected static String newNamespace(ExtensionContext context) {
    return server(context)
        .client()
        .resource(
            new NamespaceBuilder()
                .withNewMetadata()
                .withGenerateName("test-")
                .endMetadata()
                .build())
        .create()
        .getMetadata()
        .getName();
  }
}
