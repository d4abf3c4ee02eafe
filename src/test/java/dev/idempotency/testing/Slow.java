package dev.idempotency.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.Tag;

/**
 * Takes its time even in its short form: {@code ./mvnw verify} leaves it out, the
 * profiles {@code slow} and {@code full} run it.
 */
@Tag("slow")
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface Slow {

}
