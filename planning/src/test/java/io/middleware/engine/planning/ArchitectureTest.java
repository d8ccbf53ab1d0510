package io.middleware.engine.planning;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import io.middleware.engine.api.ModuleArchitecture;
import org.junit.jupiter.api.Test;

/** A plan is a pure function; the classes that talk to the cluster are named. */
class ArchitectureTest extends ModuleArchitecture {
  /** The classes that read from the API server or write to it. */
  private static final String CLUSTER_CLASSES =
      ".*\\.(Kubernetes\\w+|AppDependencies|ClusterReader|ClusterVolumes|StartedPods|ServerSideDryRun|DryRunRefusals|MissingImpersonation|SpecHistory|PlanApproval|PlannedSecrets|UsedApps)(\\$.*)?";

  ArchitectureTest() {
    super("io.middleware.engine.planning");
  }

  @Override
  protected long longConstructors() {
    return 1; // KubernetesPlanningActivities
  }

  @Test
  void shouldPlanWithoutCluster() {
    noClasses()
        .that()
        .haveNameNotMatching(CLUSTER_CLASSES)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.fabric8.kubernetes.client..")
        .because("a plan is a pure function of what the ClusterReader read")
        .check(classes);
  }
}
