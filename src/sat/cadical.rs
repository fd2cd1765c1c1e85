//! CaDiCaL.
