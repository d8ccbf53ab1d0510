package io.middleware.engine.agent;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The agent is a sidecar: it knows its own pod and its server, but not the cluster. */
class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.middleware.engine.agent");

  @Test
  void shouldHaveNoPackageCycles() {
    slices().matching("io.middleware.engine.agent.(**)").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void shouldNotKnowTheCluster() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.fabric8.kubernetes..")
        .because("the simulator plays pods, and the agent runs beside one")
        .check(CLASSES);
  }

  @Test
  void shouldKeepOrdersAndElectionsPure() {
    noClasses()
        .that()
        .resideInAnyPackage("..agent.order..", "..agent.replication..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.grpc..", "io.lettuce..")
        .check(CLASSES);
  }
}
