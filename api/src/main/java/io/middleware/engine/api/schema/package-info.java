/** Limits of custom resource fields that the CRD generator has no annotations for. */
package io.middleware.engine.api.schema;
