package io.middleware.engine.worker;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.activities.actions.ActionAgents;
import io.middleware.engine.activities.actions.KubernetesActionActivities;
import io.middleware.engine.activities.maintenance.KubernetesOperationActivities;
import io.middleware.engine.activities.members.KubernetesMemberActivities;
import io.middleware.engine.activities.objects.EngineObjects;
import io.middleware.engine.activities.pods.PodStepContext;
import io.middleware.engine.activities.resources.ActionJobs;
import io.middleware.engine.activities.resources.FinalHooks;
import io.middleware.engine.activities.resources.KubernetesResourceActivities;
import io.middleware.engine.activities.rotation.ComponentRotation;
import io.middleware.engine.activities.rotation.SecretUsers;
import io.middleware.engine.activities.volumes.VolumeClaims;
import io.middleware.engine.cluster.ImpersonatedClients;
import io.middleware.engine.cluster.Operations;
import io.middleware.engine.cluster.Plugins;
import io.middleware.engine.cluster.agents.AgentActions;
import io.middleware.engine.cluster.agents.AgentQueries;
import io.middleware.engine.cluster.secrets.AppSecrets;
import io.middleware.engine.render.sensitive.SensitiveValues;

/** Builds the activities that have agents act on single pods, from what they share. */
record ActingActivities(
    PodStepContext steps,
    EngineObjects objects,
    Plugins plugins,
    AgentQueries queries,
    AgentActions actions,
    VolumeClaims claims) {

  KubernetesOperationActivities operations(
      Operations operations,
      KubernetesClient client,
      ImpersonatedClients writers,
      KubernetesResourceActivities resources) {
    var users = new SecretUsers(client, plugins);
    var secrets = new AppSecrets(writers);
    return new KubernetesOperationActivities(
        steps,
        objects,
        plugins,
        operations,
        queries,
        actions,
        claims,
        task ->
            new ComponentRotation(steps, users, actions, secrets, resources.connections(), task));
  }

  KubernetesActionActivities actions(
      Operations operations, ActionJobs jobs, SensitiveValues secrets, FinalHooks finalHooks) {
    return new KubernetesActionActivities(
        steps,
        objects,
        plugins,
        operations,
        new ActionAgents(queries, actions),
        jobs,
        secrets,
        finalHooks);
  }

  KubernetesMemberActivities members() {
    return new KubernetesMemberActivities(steps, objects, plugins, queries, actions, claims);
  }
}
