package io.middleware.engine.process;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/**
 * What holds for the main classes of a module; a module's own {@code ArchitectureTest} adds to it.
 */
@TestInstance(Lifecycle.PER_CLASS)
public abstract class ModuleArchitecture {
  protected final JavaClasses classes;
  private final String module;

  /**
   * @param module its package, for example {@code io.middleware.engine.watcher}
   */
  protected ModuleArchitecture(String module) {
    this.module = module;
    this.classes =
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(module);
  }

  @Test
  protected void shouldHaveNoPackageCycles() {
    slices().matching(module + ".(**)").should().beFreeOfCycles().check(classes);
  }

  @Test
  protected void shouldNotUseASimpleTypeNameTwice() {
    // When
    var byName =
        classes.stream()
            .filter(JavaClass::isTopLevelClass)
            .filter(type -> !type.getSimpleName().equals("package-info"))
            .collect(groupingBy(JavaClass::getSimpleName));
    // Then
    assertThat(byName).allSatisfy((name, types) -> assertThat(types).as(name).hasSize(1));
  }
}
