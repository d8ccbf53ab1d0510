package io.middleware.engine.cluster.apiserver;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.cluster.InformerView;
import io.middleware.engine.process.servers.OnApiServer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;

/** Gives the constructor of a test class a {@link LocalNamespace}. */
public final class ApiServer extends OnApiServer {

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == LocalNamespace.class;
  }

  @Override
  public LocalNamespace resolveParameter(ParameterContext parameter, ExtensionContext context) {
    var client = server(context).client();
    var view = once(context, InformerView.class, () -> viewOf(client));
    return new LocalNamespace(client, view, newNamespace(context));
  }

  private static InformerView viewOf(KubernetesClient client) {
    var view = new InformerView(client, List.of());
    view.start().orTimeout(4, TimeUnit.MINUTES).join();
    return view;
  }
}
