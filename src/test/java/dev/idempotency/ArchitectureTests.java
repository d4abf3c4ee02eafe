package dev.idempotency;

import java.util.Set;
import java.util.TreeSet;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import org.jspecify.annotations.NullMarked;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Holds the rooms apart. A rule that stands in the way of a change is a question about
 * the change first.
 */
@AnalyzeClasses(packages = "dev.idempotency", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTests {

	@ArchTest
	static final ArchRule dependencies_point_inwards = layeredArchitecture().consideringOnlyDependenciesInLayers()
		.layer("core")
		.definedBy("dev.idempotency.core..")
		.layer("store")
		.definedBy("dev.idempotency.store")
		.optionalLayer("stores")
		.definedBy("dev.idempotency.store.*..")
		.optionalLayer("gateway")
		.definedBy("dev.idempotency.gateway..")
		.optionalLayer("upstream")
		.definedBy("dev.idempotency.upstream..")
		.optionalLayer("jobs")
		.definedBy("dev.idempotency.jobs..")
		.optionalLayer("observability")
		.definedBy("dev.idempotency.observability..")
		.optionalLayer("autoconfigure")
		.definedBy("dev.idempotency.autoconfigure..")
		.layer("app")
		.definedBy("dev.idempotency.app..")
		.whereLayer("core")
		.mayNotAccessAnyLayer()
		.whereLayer("store")
		.mayOnlyAccessLayers("core")
		.whereLayer("stores")
		.mayOnlyAccessLayers("core", "store")
		.whereLayer("gateway")
		.mayOnlyAccessLayers("core", "store", "upstream", "jobs", "observability")
		.whereLayer("upstream")
		.mayOnlyAccessLayers("core", "store", "gateway", "jobs", "observability")
		.whereLayer("jobs")
		.mayOnlyAccessLayers("core", "store", "gateway", "upstream", "observability")
		.whereLayer("observability")
		.mayOnlyAccessLayers("core", "store", "gateway", "upstream", "jobs")
		.whereLayer("autoconfigure")
		.mayNotBeAccessedByAnyLayer()
		.whereLayer("app")
		.mayNotBeAccessedByAnyLayer();

	@ArchTest
	static final ArchRule packages_form_no_cycle = slices().matching("dev.idempotency.(**)").should().beFreeOfCycles();

	@ArchTest
	static final ArchRule the_core_knows_the_jdk_and_reactor_alone = classes().that()
		.resideInAPackage("dev.idempotency.core..")
		.should()
		.onlyDependOnClassesThat()
		.resideInAnyPackage("dev.idempotency.core..", "java..", "reactor.core..", "reactor.util..",
				"org.reactivestreams..", "org.jspecify..");

	@ArchTest
	static final ArchRule the_contract_of_a_store_knows_no_store = classes().that()
		.resideInAPackage("dev.idempotency.store")
		.should()
		.onlyDependOnClassesThat()
		.resideInAnyPackage("dev.idempotency.core..", "dev.idempotency.store", "java..", "javax.crypto..",
				"reactor.core..", "reactor.util..", "org.reactivestreams..", "org.jspecify..");

	@ArchTest
	static final ArchRule no_room_is_a_dumping_ground = noClasses().should()
		.resideInAnyPackage("..util..", "..utils..", "..common..", "..support..", "..helper..", "..helpers..");

	@ArchTest
	static void every_package_is_null_marked(JavaClasses classes) {
		Set<String> unmarked = new TreeSet<>();
		for (JavaClass type : classes) {
			if (!type.getPackage().isAnnotatedWith(NullMarked.class)) {
				unmarked.add(type.getPackageName());
			}
		}
		assertThat(unmarked).as("packages without @NullMarked in a package-info").isEmpty();
	}

}
