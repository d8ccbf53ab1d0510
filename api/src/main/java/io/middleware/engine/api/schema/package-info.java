/** Limits of custom resource fields that the CRD generator has no annotations for. */
@NullMarked
package io.middleware.engine.api.schema;

import org.jspecify.annotations.NullMarked;
