package io.middleware.engine.api;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import org.junit.jupiter.api.Test;

/** The contract: it depends on no other module. */
class ArchitectureTest extends ModuleArchitecture {
  private static final String MODULE = "io.middleware.engine.api";

  ArchitectureTest() {
    super(MODULE);
  }

  @Test
  void shouldNotDependOnOtherModules() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.middleware.engine.process..",
            "io.middleware.engine.workflows..",
            "io.middleware.engine.render..",
            "io.middleware.engine.cluster..",
            "io.middleware.engine.planning..",
            "io.middleware.engine.activities..",
            "io.middleware.engine.worker..",
            "io.middleware.engine.watcher..")
        .check(classes);
  }

  @Test
  void shouldKeepTheTaskVocabularyFreeOfLibraries() {
    classes()
        .that()
        .resideInAPackage(MODULE + ".task..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            MODULE + ".task..", "java..", "com.fasterxml.jackson.annotation..", "org.jspecify..")
        .because("workflow code uses it")
        .check(classes);
  }
}
