package io.middleware.engine.worker;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The worker composes the activities; it does not know the watcher. */
class ArchitectureTest {
  private static final String MODULE = "io.middleware.engine.worker";
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(MODULE);

  @Test
  void shouldHaveNoPackageCycles() {
    slices().matching(MODULE + ".(**)").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void shouldNotUseASimpleTypeNameTwice() {
    // When
    var byName =
        CLASSES.stream()
            .filter(JavaClass::isTopLevelClass)
            .filter(type -> !type.getSimpleName().equals("package-info"))
            .collect(groupingBy(JavaClass::getSimpleName));
    // Then
    assertThat(byName).allSatisfy((name, types) -> assertThat(types).as(name).hasSize(1));
  }

  @Test
  void shouldNotDependOnTheWatcher() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.middleware.engine.watcher..")
        .check(CLASSES);
  }
}
