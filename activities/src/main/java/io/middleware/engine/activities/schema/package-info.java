/**
 * Manifests as kubectl reads them and the API server takes or refuses them, told without either.
 */
package io.middleware.engine.activities.schema;
