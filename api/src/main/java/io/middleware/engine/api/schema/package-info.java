/** What a field of a custom resource may hold, beyond what the CRD generator's annotations say. */
package io.middleware.engine.api.schema;
