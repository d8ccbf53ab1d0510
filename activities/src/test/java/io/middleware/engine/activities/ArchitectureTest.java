package io.middleware.engine.activities;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Templates, guard, schema and plan are pure; the classes that talk to the cluster are named. */
class ArchitectureTest {
  private static final String MODULE = "io.middleware.engine.activities";

  /** The classes of {@code plan} that read from the API server or write to it. */
  private static final String CLUSTER_CLASSES =
      ".*\\.(Kubernetes\\w+|ClusterReader|ServerSideDryRun|MissingImpersonation|SpecHistory|PlanApproval)(\\$.*)?";

  private static final String[] CLUSTER_LIBRARIES = {
    "io.fabric8.kubernetes.client..", "io.temporal..", "io.grpc.."
  };

  private static final JavaClasses ACTIVITIES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(MODULE);

  @Test
  void shouldHaveNoPackageCycles() {
    slices().matching(MODULE + ".(**)").should().beFreeOfCycles().check(ACTIVITIES);
  }

  @Test
  void shouldRenderWithoutCluster() {
    noClasses()
        .that()
        .resideInAnyPackage(MODULE + ".render..", MODULE + ".schema..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(CLUSTER_LIBRARIES)
        .because("dev/render runs them without a cluster")
        .check(ACTIVITIES);
  }

  @Test
  void shouldPlanWithoutCluster() {
    noClasses()
        .that()
        .resideInAPackage(MODULE + ".plan..")
        .and()
        .haveNameNotMatching(CLUSTER_CLASSES)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.fabric8.kubernetes.client..")
        .because("a plan is a pure function of what the ClusterReader read")
        .check(ACTIVITIES);
  }

  @Test
  void shouldNameEveryTypeOnce() {
    var types =
        ACTIVITIES.stream()
            .filter(JavaClass::isTopLevelClass)
            .map(JavaClass::getSimpleName)
            .filter(name -> !name.equals("package-info"))
            .collect(groupingBy(name -> name, counting()));

    assertThat(types).allSatisfy((name, count) -> assertThat(count).as(name).isEqualTo(1));
  }
}
