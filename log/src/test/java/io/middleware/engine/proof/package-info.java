/** What tests say about Plugins, for {@code docs/reference/conformance.md}. */
@org.jspecify.annotations.NullMarked
package io.middleware.engine.proof;
