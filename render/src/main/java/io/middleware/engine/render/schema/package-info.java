/** Reads manifests like kubectl and checks them like the API server, without either of them. */
package io.middleware.engine.render.schema;
